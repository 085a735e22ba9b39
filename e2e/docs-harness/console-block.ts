import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { docsRun, root } from '../support/places.ts'
import { type Ended, run } from '../support/run.ts'
import type { Block } from './page.ts'

const bin = join(docsRun, 'bin')

/** One command of a console block with what it must print. */
export interface Command {
  readonly line: number
  readonly command: string
  readonly expected: string
  readonly exitCode: number
}

/** Takes a console block apart: `$ ` begins a command, what follows is its output, `[exit 1]` its exit code. */
export function readCommands(block: Block): Command[] {
  const commands: { line: number; command: string; output: string[] }[] = []
  for (const [index, text] of block.text.split('\n').entries()) {
    const last = commands.at(-1)
    if (text.startsWith('$ ')) commands.push({ line: block.line + index, command: text.slice(2), output: [] })
    else if (last && last.output.length === 0 && last.command.endsWith('\\')) last.command += `\n${text}`
    else if (last) last.output.push(text)
    else if (text.trim() !== '') throw new Error(`line ${block.line + index}: a console block begins with a command: $ stickler …`)
  }
  return commands.map(({ line, command, output }) => {
    while (output.at(-1)?.trim() === '') output.pop()
    const exit = /^\[exit (\d+)\]$/.exec(output.at(-1) ?? '')
    return { line, command, expected: (exit ? output.slice(0, -1) : output).join('\n'), exitCode: Number(exit?.[1] ?? 0) }
  })
}

/** Runs a command in bash, where `stickler` and `npx stickler` are the built command of this repository. */
export async function runCommand(command: string, folder: string): Promise<Ended> {
  const env = {
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: process.env.HOME,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
    TERM: 'dumb',
  }
  return run('bash', ['-c', command], { cwd: folder, env, timeoutMs: 60_000 })
}

/** Puts `stickler` and `npx` where `runCommand` finds them. */
export async function writeShims(): Promise<void> {
  const stickler = `exec "${process.execPath}" "${join(root, 'packages/cli/bin/stickler.js')}" "$@"`
  await mkdir(bin, { recursive: true })
  await writeScript(join(bin, 'stickler'), stickler)
  await writeScript(join(bin, 'npx'), `[ "$1" = stickler ] || { echo "the docs may only npx stickler" >&2; exit 1; }\nshift\n${stickler}`)
}

async function writeScript(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/usr/bin/env bash\n${text}\n`)
  await chmod(path, 0o755)
}
