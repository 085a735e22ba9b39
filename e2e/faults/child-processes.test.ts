import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleCommand, type CommandBundle, type ServedProcess, serveInProcess } from '../../packages/gateway/src/testing/served-process.ts'

let bundle: CommandBundle
const folder = mkdtempSync(join(tmpdir(), 'stickler-children-'))
const running = new Set<ServedProcess>()
const file = (name: string): string => join(folder, name)
const log = (name: string): string[] => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').trim().split('\n') : [])

beforeAll(async () => {
  bundle = await bundleCommand()
})
afterAll(() => {
  for (const { process } of running) process.kill('SIGKILL')
  bundle.remove()
  rmSync(folder, { recursive: true, force: true })
})

const secrets = { STICKLER_KEYS: 'alice:alice-key-0123456789', UP_KEY: 'upstream-key', DB_PASSWORD: 'database-password' }

/** A gateway in front of a `claude` that is this shell script. */
async function serve(name: string, script: string, upstream = '', more = ''): Promise<ServedProcess> {
  const command = file(name)
  writeFileSync(command, `#!/bin/sh\ncat > /dev/null\n${script}\n`)
  chmodSync(command, 0o755)
  const yaml = `
server: { port: 0 }
store: { url: 'sqlite:${file(`${name}.db`)}' }
log: { level: warn }
upstreams:
  - { name: claude, kind: claude-cli, command: ${command}${upstream} }
${more}
routes: [{ model: claude, upstream: claude }]
`
  const env = { ...secrets, TOOL_MODE: 'fast', ANTHROPIC_MODEL: 'opus', ANTHROPIC_API_KEY: 'the-other-upstreams-key', HOME: folder }
  const served = await serveInProcess(bundle, { folder, yaml, env })
  if (served.url === '') throw new Error(served.said())
  running.add(served)
  void served.ended.then(() => running.delete(served))
  return served
}

const ask = ({ url }: ServedProcess, body: object = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer alice-key-0123456789', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude', messages: [{ role: 'user', content: 'Hi' }], ...body }),
    ...(signal === undefined ? {} : { signal }),
  })

const result = (text: string): string => `printf '%s\\n' '{"type":"result","subtype":"success","session_id":"s","result":"${text}"}'`

/** A process that has ended may stay in the list until its parent looks. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/.test(existsSync('/proc') ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '')
  } catch {
    return false
  }
}

describe('the environment of a child', () => {
  it('has no secret of the gateway, and what the configuration names', async () => {
    const other = '  - { name: other, kind: openai, baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: ANTHROPIC_API_KEY }'
    const served = await serve('env', `env > ${file('env.log')}\n${result('ok')}`, ', env: [TOOL_MODE]', other)
    expect((await ask(served)).status).toBe(200)
    const variables = log('env.log').map((line) => line.split('=')[0])
    expect(variables).toEqual(expect.arrayContaining(['PATH', 'HOME', 'TOOL_MODE', 'ANTHROPIC_MODEL']))
    expect(variables.filter((name) => name !== undefined && (name in secrets || name === 'ANTHROPIC_API_KEY'))).toEqual([])
    for (const secret of [...Object.values(secrets), 'the-other-upstreams-key']) expect(log('env.log').join('\n')).not.toContain(secret)
    served.process.kill('SIGTERM')
    await served.ended
  })
})

describe('a flood from a child', () => {
  it('fails one request and leaves the gateway as it was', async () => {
    const flood = `case $(cat ${file('mode')}) in break) exec yes '' ;; line) exec tr '\\0' x < /dev/zero ;; *) ${result('ok')} ;; esac`
    const served = await serve('flood', flood)
    for (const mode of ['break', 'line']) {
      writeFileSync(file('mode'), mode)
      const response = await ask(served)
      expect([response.status, await response.json()]).toMatchObject([502, { error: { code: 'upstream_protocol' } }])
    }
    writeFileSync(file('mode'), 'fine')
    expect((await ask(served)).status).toBe(200)
    served.process.kill('SIGTERM')
    await served.ended
  })
})

describe('the pool', () => {
  it('starts no more processes than it has, lets some calls wait and refuses the rest', async () => {
    const script = `echo + >> ${file('pool.log')}; sleep 0.05; echo - >> ${file('pool.log')}; ${result('ok')}`
    const served = await serve('pool', script, ', processes: 3, queue: 21')
    const replies = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const response = await ask(served, { n: 8 })
        return { status: response.status, wait: response.headers.get('retry-after'), text: await response.text() }
      }),
    )
    const statuses = new Set(replies.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([200, 503])
    for (const { status, wait } of replies) if (status === 503) expect(Number(wait)).toBeGreaterThan(0)
    let now = 0
    const most = Math.max(...log('pool.log').map((line) => (now += line === '+' ? 1 : -1)))
    expect(most).toBeLessThanOrEqual(3)
    // Choices of refused requests leave the queue, so that everybody is served again.
    expect((await ask(served, { n: 8 })).status).toBe(200)
    served.process.kill('SIGTERM')
    await served.ended
  })
})

describe('children', () => {
  const tree = `
sleep 600 &
echo $! >> ${file('TREE')}
setsid sleep 600 > /dev/null 2>&1 < /dev/null &
(trap '' TERM; while :; do sleep 600; done) &
echo $! >> ${file('TREE')}
setsid sh -c 'echo $$ >> ${file('TREE')}; sleep 600; :' > /dev/null 2>&1 < /dev/null &
echo $$ >> ${file('TREE')}
wait
`
  it.each(['killed', 'left', 'terminated'] as const)(
    'end when the gateway is %s, with all that they started',
    async (how) => {
      const name = `tree-${how}`
      const served = await serve(name, tree.replaceAll(file('TREE'), file(`${name}.log`)))
      const leaving = new AbortController()
      const asked = ask(served, {}, leaving.signal).catch(() => undefined)
      await expect.poll(() => log(`${name}.log`).length, { timeout: 10_000 }).toBe(4)
      const pids = log(`${name}.log`).map(Number)
      expect(pids.map(isRunning)).toEqual([true, true, true, true])
      if (how === 'left') leaving.abort()
      else served.process.kill(how === 'killed' ? 'SIGKILL' : 'SIGTERM')
      if (how === 'terminated') leaving.abort()
      await asked
      await expect.poll(() => pids.map(isRunning), { timeout: 20_000 }).toEqual([false, false, false, false])
      served.process.kill('SIGKILL')
      await served.ended
    },
    60_000,
  )
})
