// A server on the second generation of the TypeScript SDK: stateless requests, and initialize for older clients.
// "stdio" serves one client; "http" serves Streamable HTTP on PORT.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { acceptedContent, completable, createMcpHandler, inputRequired, inputResponse, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const reply = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value });

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const empty = z.object({});
let touch; // announces a change of a resource, over HTTP
const cancelled = {}; // by name

// addFeatures adds what the server has besides tools that calculate. Where older clients are served
// over HTTP there is no session, so that they can neither be told of changes nor be asked.
function addFeatures(server, reachable) {
  const read = async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: `memo ${uri.host}` }] });
  server.registerResource('first', 'memo://first', { mimeType: 'text/plain' }, read);
  const names = (value) => ['Ada', 'Alan', 'Grace'].filter((name) => name.startsWith(value));
  server.registerResource('memo', new ResourceTemplate('memo://{name}', { list: undefined, complete: { name: names } }), {}, async (uri) => {
    if (uri.host === 'none') throw new Error('no such memo');
    return read(uri);
  });
  server.registerPrompt('greet', {
    argsSchema: z.object({ name: completable(z.string(), (value, context) => names(value).map((name) => (context?.arguments?.title ?? '') + name)) }),
  }, ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }] }));
  server.registerTool('touch-memo', { description: 'Announces a change of a memo.', inputSchema: z.object({ name: z.string() }) }, async ({ name }) => {
    await (touch ?? ((uri) => server.server.sendResourceUpdated({ uri })))(`memo://${name}`);
    return text('touched');
  });
  server.registerTool('log-message', { description: 'Sends a log message.', inputSchema: empty }, async (_args, ctx) => {
    await ctx.mcpReq.log('warning', 'careful', 'v2');
    return text('logged');
  });
  server.registerTool('count-slowly', { description: 'Counts, reporting progress.', inputSchema: z.object({ steps: z.number().int() }) }, async ({ steps }, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (let i = 1; progressToken !== undefined && i <= steps; i++) {
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: i, total: steps } });
    }
    return text(`counted ${steps}`);
  });
  server.registerTool('wait-long', { description: 'Waits until it is cancelled.', inputSchema: z.object({ name: z.string() }) }, ({ name }, ctx) => new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(text('nobody cancelled')), 60_000);
    ctx.mcpReq.signal.addEventListener('abort', () => { cancelled[name] = (cancelled[name] ?? 0) + 1; clearTimeout(timer); reject(new Error('cancelled')); });
  }));
  server.registerTool('count-cancelled', { description: 'Counts the cancelled waits.', inputSchema: z.object({ name: z.string() }) }, async ({ name }) => text(`cancelled ${cancelled[name] ?? 0}`));
  if (!reachable) return;
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
  // ask puts one question to the client and gives the answer to tell.
  const ask = (name, question, tell) => server.registerTool(name, { description: 'Asks the client.', inputSchema: empty }, async (_args, ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'answer');
    return answer.kind === 'missing' ? inputRequired({ inputRequests: { answer: question } }) : text(tell(answer));
  });
  ask('ask-page', inputRequired.elicitUrl({ message: 'Go', url: 'https://example.com/consent' }), (answer) => `visit: ${answer.action}`);
  const messages = [{ role: 'user', content: { type: 'text', text: 'tea?' } }];
  ask('ask-model', inputRequired.createMessage({ maxTokens: 10, messages }), (answer) => JSON.stringify(answer.result));
  ask('ask-roots', inputRequired.listRoots(), (answer) => answer.roots.map((root) => root.uri).join(' '));
}

function build({ era }) {
  const reachable = era === 'modern' || touch === undefined;
  const server = new McpServer({ name: 'typescript-v2', version: '2.0.0' }, {
    capabilities: { tools: { listChanged: true }, resources: { subscribe: reachable }, logging: {} },
  });
  addFeatures(server, reachable);
  server.registerTool('multiply', {
    title: 'Multiply', description: 'Multiplies two numbers.',
    inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ product: z.number() }),
  }, async ({ a, b }) => reply({ product: a * b }));
  server.registerTool('join-words', {
    description: 'Joins words with a separator.',
    inputSchema: z.object({ words: z.array(z.string()).min(1), separator: z.string().default(' ') }),
  }, async ({ words, separator }) => ({ content: [{ type: 'text', text: words.join(separator) }] }));
  server.registerTool('measure', {
    description: 'Measures a circle or a rectangle.',
    inputSchema: z.object({
      shape: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('circle'), radius: z.number().positive() }),
        z.object({ kind: z.literal('rectangle'), width: z.number(), height: z.number() }),
      ]),
      unit: z.enum(['cm', 'in']).optional(),
    }),
    outputSchema: z.object({ area: z.number(), unit: z.enum(['cm', 'in']) }),
  }, async ({ shape, unit }) => reply({
    area: shape.kind === 'circle' ? 3 * shape.radius ** 2 : shape.width * shape.height, unit: unit ?? 'cm',
  }));
  server.registerTool('describe-person', {
    description: 'Describes a person, given as a nested object.',
    inputSchema: z.object({
      person: z.object({ name: z.string(), age: z.number().int().min(0).nullable(), tags: z.record(z.string(), z.string()).optional() }),
    }),
    outputSchema: z.object({ summary: z.string(), tagCount: z.number().int() }),
  }, async ({ person }) => reply({
    summary: person.age === null ? person.name : `${person.name} (${person.age})`,
    tagCount: Object.keys(person.tags ?? {}).length,
  }));
  server.registerTool('refuse', { description: 'Always reports an error.', inputSchema: z.object({}) },
    async () => ({ isError: true, content: [{ type: 'text', text: 'refused' }] }));
  if (!reachable) return server;
  const nameForm = z.object({ name: z.string() });
  server.registerTool('ask-name', { description: 'Asks the user for a name and greets them.', inputSchema: z.object({}) }, async (_args, ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'name', nameForm);
    if (!answer) {
      return inputRequired({ inputRequests: { name: inputRequired.elicit({ message: 'Your name?', requestedSchema: nameForm }) } });
    }
    return { content: [{ type: 'text', text: `hello ${answer.name}` }] };
  });
  return server;
}

// toFetch carries one node:http exchange over the handler's web-standard face.
async function toFetch(handler, req, res) {
  const ended = new AbortController();
  res.on('close', () => ended.abort());
  const withBody = req.method !== 'GET' && req.method !== 'HEAD';
  const request = new Request(`http://${req.headers.host}${req.url}`, {
    method: req.method, headers: req.headers, signal: ended.signal,
    ...(withBody ? { body: Readable.toWeb(req), duplex: 'half' } : {}),
  });
  const answer = await handler.fetch(request);
  res.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) return res.end();
  Readable.fromWeb(answer.body).on('error', () => res.destroy()).pipe(res);
}

if (process.argv[2] === 'http') {
  const handler = createMcpHandler(build);
  touch = (uri) => handler.notify.resourceUpdated(uri);
  createServer((req, res) => { toFetch(handler, req, res).catch(() => res.destroy()); }).listen(Number(process.env.PORT), '127.0.0.1');
} else {
  serveStdio(build);
}
