import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Agent, run, setTracingDisabled } from '@openai/agents'
import { generateText, type LanguageModel } from 'ai'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { readPage } from '../docs-harness/page.ts'
import { docsRun, root, writeFiles } from '../support/places.ts'
import { requireBuilt } from '../support/require-built.ts'
import { behaviourOf } from './upstream.ts'

const blocks = readPage('README.md', await readFile(join(root, 'README.md'), 'utf8'))
const files = Object.fromEntries(blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text]])))
const folder = join(docsRun, 'one-liners')
const question = 'Is it safe?'
const messages = [{ role: 'user' as const, content: question }]
let upstream: ProgrammableUpstream

beforeAll(async () => {
  requireBuilt(['core', 'node', 'gateway', 'cli'])
  setTracingDisabled(true)
  upstream = await startProgrammableUpstream(failing(500))
  vi.stubEnv('OPENAI_BASE_URL', `${upstream.url}/v1`)
  vi.stubEnv('ANTHROPIC_BASE_URL', upstream.url)
  for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY']) vi.stubEnv(name, 'sk-of-a-client-1234')
  await mkdir(folder, { recursive: true })
  await writeFiles(folder, files)
  // Where a project has its commands.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await upstream.close()
  await rm(docsRun, { recursive: true, force: true })
})

/** What a block of the README exports. */
const exported = async (name: string): Promise<Record<string, unknown>> =>
  await import(/* @vite-ignore */ pathToFileURL(join(folder, `stack/${name}.ts`)).href)

/** Each way to ask, with what the block has made. */
const stacks: Readonly<Record<string, (made: Record<string, unknown>) => Promise<unknown>>> = {
  openai: async ({ client }) =>
    (await (client as import('openai').default).chat.completions.create({ model: 'm', messages })).choices[0]?.message.content,
  anthropic: async ({ client }) => {
    const { content } = await (client as import('@anthropic-ai/sdk').default).messages.create({ model: 'm', max_tokens: 9, messages })
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  },
  'ai-sdk': async ({ model }) => (await generateText({ model: model as LanguageModel, prompt: question })).text,
  langchain: async ({ agent }) => {
    const { messages: all } = await (agent as ReturnType<typeof import('langchain').createAgent>).invoke({ messages })
    return all.at(-1)?.text
  },
  agents: async () => (await run(new Agent({ name: 'helper', model: 'm' }), question)).finalOutput,
}

test('every program of the README is run here', () => {
  const programs = Object.keys(files).flatMap((file) => /^stack\/(.+)\.ts$/.exec(file)?.[1] ?? [])
  expect(programs.sort()).toEqual(Object.keys(stacks).sort())
})

test.each(Object.entries(stacks))('%s: a wrong answer is asked for again, and never seen', async (name, ask) => {
  const before = upstream.requests.length
  upstream.enqueue(...['It is guaranteed.', 'It is tested.'].map((text) => behaviourOf({ text })))
  expect(await ask(await exported(name))).toBe('It is tested.')
  expect(upstream.requests.length - before).toBe(2)
})

test('the hook of Claude Code sends a wrong answer back', async () => {
  const [{ hooks }] = JSON.parse(files['stack/settings.json'] ?? '').hooks.Stop
  const env = { ...process.env, CLAUDE_PROJECT_DIR: folder, XDG_STATE_HOME: join(folder, 'state') }
  const hook = spawn('sh', ['-c', hooks[0].command], { cwd: folder, env })
  let said = ''
  hook.stdout.on('data', (chunk) => (said += String(chunk)))
  hook.stdin.end(JSON.stringify({ hook_event_name: 'Stop', session_id: '1', stop_hook_active: false, last_assistant_message: 'Done.' }))
  await once(hook, 'close')
  expect(JSON.parse(said)).toMatchObject({ decision: 'block', reason: expect.stringContaining('MISSING_JSON') })
})

test('the MCP server checks an answer', async () => {
  const { command, args } = JSON.parse(files['stack/mcp.json'] ?? '').mcpServers.stickler
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command, args, cwd: folder }))
  const { structuredContent } = await client.callTool({ name: 'check_answer', arguments: { text: 'Done.' } })
  expect(structuredContent).toMatchObject({ contract: 'support', status: 'unresolved' })
  await client.close()
})

test('LiteLLM gets its verdict at the address, and clients the base URL', async () => {
  const { api_base } = parse(files['stack/litellm.yaml'] ?? '').guardrails[0].litellm_params as { api_base: string }
  const [, variables = ''] = /^export (.+)$/m.exec(blocks.find(({ text }) => text.startsWith('export '))?.text ?? '') ?? []
  const bases = Object.fromEntries(variables.split(' ').map((one) => one.split('=') as [string, string]))
  const gateway = await startTestGateway({ yaml: `server: { port: 0 }\n${files['stickler.yaml']}` })
  const at = async (url: string, body: object): Promise<unknown> => {
    const moved = url.replace('http://127.0.0.1:8787', gateway.url)
    const response = await fetch(moved, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    return await response.json()
  }
  expect(await at(`${api_base}/beta/litellm_basic_guardrail_api`, { input_type: 'response', texts: ['Done.'] })).toMatchObject({
    action: 'BLOCKED',
  })
  expect(await at(`${bases.OPENAI_BASE_URL}/chat/completions`, { model: 'support', messages })).toMatchObject({
    stickler: { status: 'repaired' },
  })
  expect(await at(`${bases.ANTHROPIC_BASE_URL}/v1/messages`, { model: 'support', max_tokens: 99, messages })).toMatchObject({
    type: 'message',
    stickler: { status: 'repaired' },
  })
  await gateway.close()
})
