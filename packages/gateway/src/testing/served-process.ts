import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const cli = at('../../../cli/')

/** The command as a folder that plain Node processes can run. */
export interface CommandBundle {
  readonly bin: string
  remove(): void
}

/** Bundles the sources of the command, so that processes run what is written now and not what was built once; dependencies stay outside. */
export async function bundleCommand(): Promise<CommandBundle> {
  const modules = at('../../../../node_modules/')
  mkdirSync(modules, { recursive: true })
  const folder = mkdtempSync(join(modules, '.stickler-command-'))
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^@stickler\/core$/, replacement: at('../../../core/src/index.ts') },
        {
          find: /^@stickler\/core\/(internal|internal\/\w+|runners|validators)$/,
          replacement: at('../../../core/src/$1.ts'),
        },
        { find: /^@stickler\/ask$/, replacement: at('../../../ask/src/index.ts') },
        { find: /^@stickler\/ask\/(internal|pipeline|retrieval)$/, replacement: at('../../../ask/src/$1.ts') },
        { find: /^@stickler\/(ask|parser)\/internal\/config$/, replacement: at('../../../$1/src/config.ts') },
        { find: /^@stickler\/node$/, replacement: at('../../../node/src/index.ts') },
        { find: /^@stickler\/node\/(?:internal\/)?(\w+)$/, replacement: at('../../../node/src/$1.ts') },
        { find: /^@stickler\/parser$/, replacement: at('../../../parser/src/index.ts') },
        { find: /^@stickler\/parser\/internal$/, replacement: at('../../../parser/src/internal.ts') },
        { find: /^@stickler\/gateway$/, replacement: at('../index.ts') },
        { find: /^@stickler\/gateway\/internal$/, replacement: at('../internal.ts') },
      ],
    },
    ssr: { noExternal: [/^@stickler\//] },
    build: {
      ssr: join(cli, 'src/main.ts'),
      outDir: join(folder, 'dist/node'),
      minify: false,
      rollupOptions: { output: { entryFileNames: 'main.js' } },
    },
  })
  for (const name of ['bin', 'package.json']) cpSync(join(cli, name), join(folder, name), { recursive: true })
  return { bin: join(folder, 'bin/stickler.js'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A gateway in a process of its own. */
export interface ServedProcess {
  readonly url: string
  readonly process: ChildProcess
  /** What it has said on stderr so far. */
  said(): string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

/** Where and how a process serves. */
interface ServeSetting {
  readonly folder: string
  readonly yaml: string
  readonly env?: Readonly<Record<string, string>>
  readonly argv?: readonly string[]
  /** What a shell does before, such as `ulimit -f 100`. */
  readonly before?: string
}

/** Runs `stickler serve`; `url` is empty when it ended before it listened. */
export async function serveInProcess({ bin }: CommandBundle, setting: ServeSetting): Promise<ServedProcess> {
  const { folder, yaml, env = {}, argv = [], before = ':' } = setting
  writeFileSync(join(folder, 'stickler.yaml'), yaml)
  const { PATH = '' } = process.env
  const child = spawn('/bin/sh', ['-c', `${before}; exec "$@"`, 'sh', process.execPath, bin, 'serve', '--json', ...argv], {
    cwd: folder,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
  })
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | string)
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => JSON.parse(String(text)) as { url: string })
  const { url } = await Promise.race([line, ended.then(() => ({ url: '' }))])
  return { url, process: child, said: () => said, ended }
}
