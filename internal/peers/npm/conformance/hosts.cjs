// Loaded before the conformance suite: keeps its listeners on the loopback interface. The suite asks a
// server for its port right after listen(0), so the address must be known without a look-up; hence the
// call below listen, where it already is.
'use strict';
const { Server } = require('node:net');

const everywhere = new Set([null, undefined, '', '::', '0.0.0.0']);
const bind = Server.prototype._listen2;
Server.prototype._listen2 = function (address, port, family, ...rest) {
  const tcp = typeof port === 'number' && port >= 0;
  return tcp && everywhere.has(address)
    ? bind.call(this, '127.0.0.1', port, 4, ...rest)
    : bind.call(this, address, port, family, ...rest);
};
