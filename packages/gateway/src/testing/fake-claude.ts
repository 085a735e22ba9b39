import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the fake does when its input matches; by default it says how many turns its session has and repeats them. */
export interface FakeTurn {
  /** A regular expression over what came on stdin. */
  readonly when: string
  /** Only in the call with this number of those that match, from 1. */
  readonly nth?: number
  readonly say?: string
  readonly stderr?: string
  /** Milliseconds before it answers. */
  readonly wait?: number
  /** Lines that are not messages, before the answer. */
  readonly garbage?: boolean
  /** Leaves the id of the session out of its messages, or has another one in it. */
  readonly id?: string | null
  /** Kills itself after its first messages. */
  readonly killed?: boolean
  readonly exit?: number
  /** Why its answer ended; `none` leaves it out. */
  readonly reason?: string | null
  /** The same in its last message. */
  readonly saidReason?: string
}

/** One call of the fake. */
interface FakeCall {
  readonly args: readonly string[]
  readonly input: string
  readonly cwd: string
  /** The session that it was to resume. */
  readonly resumed: string | null
  /** What the session held before. */
  readonly turns: readonly string[]
}

/** A `claude` that speaks the protocol of the real one, checks its arguments and keeps sessions on disk. */
export interface FakeClaude {
  readonly command: string
  calls(): readonly FakeCall[]
  /** Takes over other rules; the first that matches holds. */
  play(turns: readonly FakeTurn[]): void
  /** Loses all sessions. */
  forget(): void
  /** Sessions that two processes used at the same time. */
  shared(): readonly string[]
}

const script = (folder: string): string => `#!${process.execPath}
const fs = require('node:fs')
const { join } = require('node:path')
const folder = ${JSON.stringify(folder)}
const at = (...names) => join(folder, ...names)
const say = (message) => fs.writeSync(1, JSON.stringify(message) + '\\n')
const die = (text, code = 1) => { fs.writeSync(2, text + '\\n'); process.exit(code) }
const args = process.argv.slice(2)
if (args[0] === '--version') { fs.writeSync(1, '2.1.0 (Claude Code)\\n'); process.exit(0) }
const [print, format, json, verbose, ...rest] = args
if (print !== '-p' || format !== '--output-format' || json !== 'stream-json' || verbose !== '--verbose') die('error: wrong arguments ' + args.join(' '))
let resumed = null
while (rest.length > 0) {
  const option = rest.shift()
  if (option === '--model') rest.shift()
  else if (option === '--resume') resumed = rest.shift() ?? die('error: --resume needs a session')
  else die("error: unknown option '" + option + "'")
}
const input = fs.readFileSync(0, 'utf8')
const id = resumed ?? crypto.randomUUID()
const file = at('sessions', id + '.json')
const read = () => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : [])
fs.appendFileSync(at('calls.jsonl'), JSON.stringify({ args, input, cwd: process.cwd(), resumed, turns: read() }) + '\\n')
if (input === '') die('Error: Input must be provided either through stdin or as a prompt argument when using --print')
if (resumed !== null && !fs.existsSync(file)) {
  const error = 'No conversation found with session ID: ' + resumed
  say({ type: 'result', subtype: 'error_during_execution', is_error: true, num_turns: 0, session_id: resumed, total_cost_usd: 0, errors: [error] })
  die(error)
}
const seen = fs.readFileSync(at('calls.jsonl'), 'utf8').trim().split('\\n').map((line) => JSON.parse(line))
const rule = JSON.parse(fs.readFileSync(at('turns.json'), 'utf8')).find(({ when, nth }) =>
  new RegExp(when).test(input) && (nth === undefined || seen.filter((call) => new RegExp(when).test(call.input)).length === nth)) ?? {}
const lock = at('sessions', id + '.lock')
if (fs.existsSync(lock)) fs.appendFileSync(at('shared'), id + '\\n')
fs.writeFileSync(lock, '')
const turns = [...read(), 'user: ' + input]
fs.writeFileSync(file, JSON.stringify(turns))
const named = rule.id === null ? {} : { session_id: rule.id ?? id }
say({ type: 'system', subtype: 'init', cwd: process.cwd(), tools: [], model: 'fake', permissionMode: 'default', ...named })
if (rule.stderr !== undefined) fs.writeSync(2, rule.stderr)
if (rule.garbage) fs.writeSync(1, '\\n{"type":"result"\\nnot json\\n[1,2]\\n"result"\\n\\u0000\\n{"type":"result","result":7,"session_id":"-x"\\n')
setTimeout(() => {
  if (rule.killed) process.kill(process.pid, 'SIGKILL')
  if (rule.exit !== undefined) { fs.rmSync(lock, { force: true }); process.exit(rule.exit) }
  const users = turns.filter((turn) => turn.startsWith('user: '))
  const text = rule.say ?? users.length + ' turns: ' + users.map((turn) => turn.slice(6)).join(' | ')
  say({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }], stop_reason: rule.saidReason ?? null }, ...named })
  fs.writeFileSync(file, JSON.stringify([...turns, 'assistant: ' + text]))
  fs.rmSync(lock, { force: true })
  say({ type: 'result', subtype: 'success', is_error: false, num_turns: 1, ...(rule.reason === 'none' ? {} : { stop_reason: rule.reason === undefined ? 'end_turn' : rule.reason }), result: text,
    usage: { input_tokens: input.length, output_tokens: text.length }, total_cost_usd: 0.001, ...named })
}, rule.wait ?? 0)
`

/** Writes a fake `claude` into a folder, with its sessions beside it. */
export function fakeClaude(folder: string): FakeClaude {
  const at = (name: string): string => join(folder, name)
  const lines = (name: string): string[] => (existsSync(at(name)) ? readFileSync(at(name), 'utf8').trim().split('\n') : [])
  mkdirSync(at('sessions'), { recursive: true })
  const command = at('claude')
  writeFileSync(command, script(folder))
  chmodSync(command, 0o755)
  const play = (turns: readonly FakeTurn[]): void => writeFileSync(at('turns.json'), JSON.stringify(turns))
  play([])
  return {
    command,
    calls: () => lines('calls.jsonl').map((line) => JSON.parse(line) as FakeCall),
    play,
    forget() {
      for (const name of readdirSync(at('sessions'))) rmSync(join(at('sessions'), name))
    },
    shared: () => lines('shared'),
  }
}
