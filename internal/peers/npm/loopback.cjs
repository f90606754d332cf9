// Loaded before a peer: keeps its listeners on the loopback interface, and says on stderr which
// address each of them got, so that port 0 can be used.
'use strict';
const net = require('node:net');

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (...args) {
  this.once('listening', () => {
    const at = this.address();
    if (at && at.port) process.stderr.write(`peer listens on ${at.address}:${at.port}\n`);
  });
  const [first, second] = args;
  if (first !== null && typeof first === 'object' && first.port !== undefined) {
    args[0] = { ...first, host: '127.0.0.1' };
  } else if (typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first))) {
    args.splice(1, typeof second === 'string' ? 1 : 0, '127.0.0.1');
  }
  return listen.apply(this, args);
};
