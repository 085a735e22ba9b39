import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { requireBuilt } from '../../../../e2e/support/require-built.ts'

const scripted = new URL('../../../parser/src/testing/scripted-language.mjs', import.meta.url).href

/** Says its port, and a line for every call that reaches it. */
const program = `
import { localParser } from '@stickler/parser'
import { startParserService } from '@stickler/parser/service'
const [port, timeoutMs] = process.argv.slice(1).map(Number)
const local = localParser({ timeoutMs, modules: { scripted: ${JSON.stringify(scripted)} } })
// The first call starts a process, which takes longer than a deadline may be.
await local.parse('json', '{}')
const parse = (...call) => {
  console.log('call')
  return local.parse(...call)
}
const service = await startParserService({ port, parser: { ...local, parse } })
console.log(service.port)
`

/** A parser service in a process of its own. */
export interface ParserProcess {
  readonly port: number
  readonly url: string
  /** How many calls have reached it. */
  calls(): number
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends it at once. */
  kill(): Promise<void>
}

/** Starts the parser service as it is built, on a free port or the one that is given; it knows the scripted language too. */
export async function startParserProcess(port = 0, timeoutMs = 2000): Promise<ParserProcess> {
  requireBuilt(['core', 'parser'])
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program, String(port), String(timeoutMs)], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let calls = 0
  const taken = await new Promise<number>((resolve, reject) => {
    void ended.then(() => reject(new Error('the parser process ended')))
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (line === 'call') calls++
      else resolve(Number(line))
    })
  })
  return {
    port: taken,
    url: `grpc://127.0.0.1:${taken}`,
    calls: () => calls,
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
