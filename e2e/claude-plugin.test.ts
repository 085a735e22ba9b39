import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'

const plugin = join(root, 'plugins/claude-code')
type Entry = { hooks: { type: string; command: string; args?: unknown }[] }
const { hooks } = JSON.parse(await readFile(join(plugin, 'hooks/hooks.json'), 'utf8')) as { hooks: Record<string, Entry[]> }
const stickler = join(root, 'packages/cli/bin/stickler.js')
const yaml = `contracts:
  Stop: { checks: [{ max_words: { limit: 3 } }] }
  PreToolUse: { checks: [{ pattern: { deny: [{ regex: rm -rf }] } }] }
  UserPromptSubmit: { checks: [{ max_words: { limit: 3 } }] }
`

let folder = ''
beforeAll(async () => {
  requireBuilt(['core', 'node', 'cli'])
  folder = await realpath(await mkdtemp(join(tmpdir(), 'stickler plugin-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A project with a configuration and the command where they are said to be, by their paths. */
async function project(name: string, config: string | undefined, command: string | undefined): Promise<string> {
  const place = join(folder, name)
  await mkdir(join(place, 'below/it'), { recursive: true })
  if (config !== undefined) await writeFile(join(place, config), yaml)
  if (command !== undefined) {
    await mkdir(dirname(join(place, command)), { recursive: true })
    await symlink(stickler, join(place, command))
  }
  return place
}

/** Runs the hook of an event as Claude Code does, with nothing on the PATH but what is named. */
async function hook(event: string, cwd: string, more: object = {}, path: readonly string[] = []) {
  const tools = join(folder, 'tools')
  await mkdir(tools, { recursive: true })
  for (const [name, file] of [['node', process.execPath], ...['sh', 'grep'].map((one) => [one, `/bin/${one}`])] as [string, string][])
    await symlink(file, join(tools, name)).catch(() => undefined)
  const [entry] = hooks[event]?.[0]?.hooks ?? []
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', entry?.command ?? ''], {
    cwd: folder,
    env: { PATH: [tools, ...path].join(':'), CLAUDE_PROJECT_DIR: cwd, CLAUDE_PLUGIN_ROOT: plugin, XDG_STATE_HOME: join(folder, 'state') },
    input: JSON.stringify({ hook_event_name: event, session_id: 's', ...more }),
    encoding: 'utf8',
  })
  return { status, said: stdout === '' ? undefined : (JSON.parse(stdout) as object), stderr }
}

const call = { tool_name: 'Bash', tool_input: { command: 'rm -rf build' } }
const denied = { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) }

test('every event that is judged has a hook, which names no program but the shell', () => {
  expect(Object.keys(hooks).sort()).toEqual(['PostToolUse', 'PostToolUseFailure', 'PreToolUse', 'Stop', 'SubagentStop', 'UserPromptSubmit'])
  for (const [event, entries] of Object.entries(hooks))
    expect(entries.flatMap((entry) => entry.hooks)).toEqual([
      { type: 'command', command: `sh "\${CLAUDE_PLUGIN_ROOT}/hooks/stickler.sh" ${event}`, timeout: expect.any(Number) },
    ])
})

test('the command of the project comes first, then one above it, then the one on the PATH', async () => {
  const own = await project('own', 'stickler.yaml', 'node_modules/.bin/stickler')
  const onPath = await project('path', 'stickler.yaml', 'bin/stickler')
  expect(await hook('PreToolUse', own, call)).toEqual({ status: 0, said: denied, stderr: '' })
  expect(await hook('PreToolUse', join(own, 'below/it'), call)).toEqual({ status: 0, said: denied, stderr: '' })
  expect(await hook('PreToolUse', onPath, call, [join(onPath, 'bin')])).toEqual({ status: 0, said: denied, stderr: '' })
  expect(await hook('PostToolUse', own, { tool_response: 'x' })).toEqual({ status: 0, said: {}, stderr: '' })
})

test('nothing runs where there is no configuration', async () => {
  const bare = await project('bare', undefined, 'node_modules/.bin/stickler')
  for (const event of Object.keys(hooks)) expect(await hook(event, bare, call)).toEqual({ status: 0, said: undefined, stderr: '' })
  expect(await hook('PreToolUse', join(folder, 'gone'), call)).toMatchObject({ status: 0, said: undefined })
})

test('without the command, what has a contract is refused, and everything else goes on', async () => {
  const missing = await project('missing', 'stickler.yaml', undefined)
  const ended = await Promise.all(Object.keys(hooks).map(async (event) => [event, (await hook(event, missing, call)).status]))
  expect(Object.fromEntries(ended)).toEqual({
    PreToolUse: 2,
    UserPromptSubmit: 2,
    Stop: 1,
    SubagentStop: 0,
    PostToolUse: 0,
    PostToolUseFailure: 0,
  })
  expect((await hook('PreToolUse', missing, call)).stderr).toContain(`not installed for ${join(missing, 'stickler.yaml')}; run npm install`)
})

test.each<[name: string, contracts: string, status: number]>([
  ['other names', 'Stop: { checks: [complete] }', 0],
  ['an escaped name', '"Pre\\x54oolUse": { checks: [complete] }', 2],
  ['a name over two lines', '? "PreTool\\\n      Use"\n  : { checks: [complete] }', 2],
  ['a merge', '<<: { Stop: { checks: [complete] } }', 2],
])('without the command, a call goes on only where no contract can be its own: %s', async (name, contracts, status) => {
  const place = await project(name, 'stickler.yaml', undefined)
  await writeFile(join(place, 'stickler.yaml'), `contracts:\n  ${contracts}\n`)
  expect(await hook('PreToolUse', place, call)).toMatchObject({ status })
})
