import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import { contract } from '@stickler/core'
import { contracted } from '@stickler/core/mcp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { root } from '../support/places.ts'
import { requireBuilt } from '../support/require-built.ts'

const config = `
contracts:
  short: { checks: [{ max_words: { limit: 2 } }] }
  mail: { checks: [{ sensitive: { kinds: [email], redact: true } }] }
`

describe('stickler mcp, asked by the official client', () => {
  let folder = ''
  const client = new Client({ name: 'test', version: '1' })
  beforeAll(async () => {
    requireBuilt(['core', 'node', 'gateway', 'cli'])
    folder = await mkdtemp(join(tmpdir(), 'stickler-mcp-'))
    await writeFile(join(folder, 'stickler.yaml'), config)
    const args = [join(root, 'packages/cli/bin/stickler.js'), 'mcp']
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }))
  })
  afterAll(async () => {
    await client.close()
    await rm(folder, { recursive: true, force: true })
  })
  const call = (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given })

  it('lists its tools, with the shape of what they return', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name, outputSchema }) => [name, outputSchema?.type])).toEqual(
      ['check_answer', 'list_contracts', 'explain_code'].map((name) => [name, 'object']),
    )
  })

  it.each<readonly [string, Record<string, unknown>, object]>([
    ['valid', { contract: 'short', text: 'two words' }, { status: 'valid', contract: 'short', text: 'two words' }],
    ['unresolved', { contract: 'short', text: 'these are four words' }, { status: 'unresolved', issues: [{ code: 'MAX_WORDS' }] }],
    ['repaired', { contract: 'mail', text: 'a@b.de' }, { status: 'repaired', text: '[EMAIL]', repairs: [{ rule: 'redact-email' }] }],
    [
      'a whole response',
      { contract: 'short', response: { choices: [{ message: { role: 'assistant', content: 'one' }, finish_reason: 'length' }] } },
      { status: 'unresolved', issues: [{ code: 'TRUNCATED' }] },
    ],
  ])('a verdict is a result, not an error: %s', async (_name, given, expected) => {
    const { isError, structuredContent, content } = await call('check_answer', given)
    expect(isError).toBeFalsy()
    expect(structuredContent).toMatchObject(expected)
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
  })

  it.each<readonly [string, Record<string, unknown>, string]>([
    ['check_answer', { text: 'x' }, 'name a contract; there are short, mail'],
    ['check_answer', { contract: 'shrot', text: 'x' }, 'did you mean "short"?'],
    ['check_answer', { contract: './stickler.yaml', text: 'x' }, 'unknown contract'],
    ['check_answer', { contract: 'short' }, 'text is missing'],
    ['check_answer', { contract: 'short', text: 7 }, 'text'],
    ['explain_code', { code: 'MAX_WRDS' }, 'MAX_WORDS'],
  ])('%s %j is an error that says why', async (name, given, why) => {
    const { isError, content, structuredContent } = await call(name, given)
    expect([isError, structuredContent, JSON.stringify(content).replaceAll('\\"', '"')]).toEqual([
      true,
      undefined,
      expect.stringContaining(why),
    ])
  })

  it('knows contracts and codes', async () => {
    expect((await call('list_contracts', {})).structuredContent).toEqual({
      contracts: [
        { name: 'short', checks: ['max_words'] },
        { name: 'mail', checks: ['sensitive'] },
      ],
    })
    expect((await call('explain_code', { code: 'max_words' })).structuredContent).toMatchObject({ explained: [{ code: 'MAX_WORDS' }] })
  })
})

describe('stickler mcp with piped input', () => {
  const request = (id: number, method: string, params: object) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
  const opening = request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } })
  const checking = (id: number, contract: string, text = 'two words') =>
    request(id, 'tools/call', { name: 'check_answer', arguments: { contract, text } })
  const pipe = async (input: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'stickler-mcp-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'stickler.yaml'), config)
    const child = spawn(process.execPath, [join(root, 'packages/cli/bin/stickler.js'), 'mcp'], { cwd: folder })
    let written = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
    child.stdin.end(input)
    const [code] = await once(child, 'close')
    const replies = written.split('\n').filter((line) => line !== '')
    return { code, replies: replies.map((line) => JSON.parse(line) as { id: number; result?: { structuredContent?: { status: string } } }) }
  }

  it('answers every call that it has read before it ends', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => at + 2)
    const { code, replies } = await pipe(opening + ids.map((id) => checking(id, 'short')).join(''))
    expect(code).toBe(0)
    expect(replies.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual([1, ...ids])
    expect(replies.find(({ id }) => id === 21)?.result?.structuredContent?.status).toBe('valid')
  })

  it('waits for no call that was cancelled, and ends at once without calls', async () => {
    const cancelled = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })}\n`
    expect(await pipe('')).toEqual({ code: 0, replies: [] })
    expect((await pipe(opening + checking(2, 'short') + cancelled)).code).toBe(0)
  })
})

describe('contracted, in a server of the official package', () => {
  it('makes a result that breaks the contract an error for the model, and repairs another', async () => {
    const server = new McpServer({ name: 'test', version: '1' })
    const careful = contract({ checks: [{ max_words: { limit: 3 } }, { sensitive: { kinds: ['email'], redact: true } }] })
    const shape = { inputSchema: z.object({ text: z.string() }), outputSchema: z.object({ said: z.string() }) }
    server.registerTool(
      'say',
      shape,
      contracted(careful, async ({ text }: { text: string }) => ({
        content: [{ type: 'text' as const, text: JSON.stringify({ said: text }) }],
        structuredContent: { said: text },
      })),
    )
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await server.connect(ours)
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(theirs)
    const say = (text: string) => client.callTool({ name: 'say', arguments: { text } })
    expect(await say('a@b.de')).toMatchObject({
      structuredContent: { said: '[EMAIL]' },
      content: [{ type: 'text', text: '{"said":"[EMAIL]"}' }],
    })
    const { isError, structuredContent, content } = await say('these are far too many words')
    expect([isError, structuredContent, JSON.stringify(content)]).toEqual([true, undefined, expect.stringContaining('MAX_WORDS')])
    await client.close()
  })
})
