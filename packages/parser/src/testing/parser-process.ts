import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../../cli/bin/stickler.js', import.meta.url))

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly port: number
  /** What it has printed, line by line. */
  readonly lines: readonly string[]
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

/** Starts `stickler parser` of the build, or a script that prints `{"url"}` as its first line; resolves when it listens. */
export async function startProcess(argv: readonly string[] = [], script?: URL): Promise<ServiceProcess> {
  const args = script === undefined ? [command, 'parser', '--json', ...argv] : [fileURLToPath(script), ...argv]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | string)
  await Promise.race([once(reader, 'line'), ended])
  const { url } = JSON.parse(lines[0] ?? '{"url":""}') as { url: string }
  return { child, url, port: Number(url.slice(url.lastIndexOf(':') + 1)), lines, ended }
}
