import { Console } from 'node:console'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { Block } from './page.ts'

/** Writes a ts or js block as a module in which everything stands on the line it has in the page, and returns its path. */
export async function writeModule(block: Block, folder: string): Promise<string> {
  const path = join(folder, `line-${block.line}.${block.language}`)
  await mkdir(folder, { recursive: true })
  await writeFile(path, `${'\n'.repeat(block.line - 1)}${block.text}\n`)
  return path
}

/** Imports a module with the folder as working directory, and returns what it prints. */
export async function runModule(path: string, folder: string): Promise<string> {
  const printed: string[] = []
  const sink = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      printed.push(String(chunk))
      done()
    },
  })
  const { console: consoleBefore } = globalThis
  const { write } = process.stdout
  const cwd = process.cwd()
  globalThis.console = new Console({ stdout: sink, stderr: sink, colorMode: false })
  process.stdout.write = sink.write.bind(sink) as typeof write
  process.chdir(folder)
  try {
    await import(/* @vite-ignore */ pathToFileURL(path).href)
  } finally {
    process.chdir(cwd)
    process.stdout.write = write
    globalThis.console = consoleBefore
  }
  return printed.join('')
}
