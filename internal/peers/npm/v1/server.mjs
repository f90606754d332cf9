// A server on the first generation of the TypeScript SDK: initialize sessions only.
// "stdio" serves one client; "http" serves Streamable HTTP with sessions on PORT.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const reply = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value });

function build() {
  const server = new McpServer({ name: 'typescript-v1', version: '1.0.0' }, { capabilities: { logging: {} } });
  server.registerTool('multiply', {
    title: 'Multiply', description: 'Multiplies two numbers.',
    inputSchema: { a: z.number(), b: z.number() }, outputSchema: { product: z.number() },
  }, async ({ a, b }) => reply({ product: a * b }));
  server.registerTool('join-words', {
    description: 'Joins words with a separator.',
    inputSchema: { words: z.array(z.string()).min(1), separator: z.string().default(' ') },
  }, async ({ words, separator }) => ({ content: [{ type: 'text', text: words.join(separator) }] }));
  server.registerTool('rate', {
    description: 'Rates a film on one of three scales.',
    inputSchema: { film: z.string(), scale: z.enum(['stars', 'percent', 'thumbs']), value: z.number().int().nullable() },
    outputSchema: { film: z.string(), rating: z.string().nullable() },
  }, async ({ film, scale, value }) => reply({ film, rating: value === null ? null : `${value} ${scale}` }));
  server.registerTool('describe-person', {
    description: 'Describes a person, given as a nested object.',
    inputSchema: {
      person: z.object({ name: z.string(), age: z.number().int().min(0).optional(), tags: z.record(z.string(), z.string()).optional() }),
    },
    outputSchema: { summary: z.string(), tagCount: z.number().int() },
  }, async ({ person }) => reply({
    summary: person.age === undefined ? person.name : `${person.name} (${person.age})`,
    tagCount: Object.keys(person.tags ?? {}).length,
  }));
  server.registerTool('refuse', { description: 'Always reports an error.' },
    async () => ({ isError: true, content: [{ type: 'text', text: 'refused' }] }));
  server.registerTool('log-message', { description: 'Sends a log message.' }, async (extra) => {
    await server.sendLoggingMessage({ level: 'warning', logger: 'v1', data: 'careful' }, extra.sessionId);
    return { content: [{ type: 'text', text: 'logged' }] };
  });
  server.registerTool('ask-name', { description: 'Asks the user for a name and greets them.' }, async () => {
    const answer = await server.server.elicitInput({
      message: 'Your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    return { content: [{ type: 'text', text: answer.action === 'accept' ? `hello ${answer.content.name}` : answer.action }] };
  });
  return server;
}

async function serveHTTP() {
  const sessions = new Map();
  createServer(async (req, res) => {
    let transport = sessions.get(req.headers['mcp-session-id']);
    if (!transport) {
      if (req.headers['mcp-session-id']) return res.writeHead(404).end();
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => { sessions.set(id, transport); },
        onsessionclosed: (id) => { sessions.delete(id); },
      });
      await build().connect(transport);
    }
    await transport.handleRequest(req, res);
  }).listen(Number(process.env.PORT), '127.0.0.1');
}

if (process.argv[2] === 'http') await serveHTTP();
else await build().connect(new StdioServerTransport());
