import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { main } from '../main.ts'
import type { CommandPlugins } from '../plugins.ts'
import type { Platform } from '../serve/node-platform.ts'
import { nodePlatform } from '../serve/node-platform.ts'

/** How a run of the command inside the test ended. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** What a run is given. */
export interface Setting {
  readonly cwd?: string
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly stdin?: string | Readable
  readonly env?: Readonly<Record<string, string>>
  /** Streams that say they are terminals. */
  readonly terminals?: readonly ('stdin' | 'stdout' | 'stderr')[]
  readonly signal?: AbortSignal
  readonly stdout?: Writable
  readonly stderr?: Writable
  readonly now?: () => number
  /** Plugins in place of those that end with the command. */
  readonly plugins?: CommandPlugins
  /** Parts of the gateway in place of the real ones. */
  readonly platform?: Partial<Platform>
}

/** Runs the command in process, in a folder of its own. */
export async function runCli(argv: readonly string[], setting: Setting = {}): Promise<Ended> {
  const { stdin = '', env = {}, terminals = [], signal = new AbortController().signal, now = () => performance.now() } = setting
  const cwd = setting.cwd ?? (await folderWith(setting.files ?? {}))
  const stdout = collector()
  const stderr = collector()
  const terminal = (name: 'stdin' | 'stdout' | 'stderr') => ({ isTTY: terminals.includes(name) })
  const io = {
    stdin: Object.assign(typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin, terminal('stdin')),
    stdout: Object.assign(setting.stdout ?? stdout.stream, terminal('stdout')),
    stderr: Object.assign(setting.stderr ?? stderr.stream, terminal('stderr')),
    env,
    cwd,
    now,
    signal,
    ...(setting.plugins === undefined ? {} : { plugins: setting.plugins }),
  }
  const code = await main(argv, io, { ...nodePlatform(), ...setting.platform })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** A folder with files in it that is removed with the test. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'stickler-cli-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

function collector(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
