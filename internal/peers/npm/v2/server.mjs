// A server on the second generation of the TypeScript SDK: stateless requests, and initialize for older clients.
// "stdio" serves one client; "http" serves Streamable HTTP on PORT.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const reply = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value });

function build() {
  const server = new McpServer({ name: 'typescript-v2', version: '2.0.0' }, { capabilities: { tools: { listChanged: true } } });
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
  createServer((req, res) => { toFetch(handler, req, res).catch(() => res.destroy()); }).listen(Number(process.env.PORT), '127.0.0.1');
} else {
  serveStdio(build);
}
