import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tooDeep } from '../too-deep.ts'

/** The first problem that mvdan/sh reports, with its line and its column in bytes, both from 1. */
export interface ShellProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** What the module of sh-syntax exports. */
interface Shell {
  readonly memory: { readonly buffer: ArrayBuffer }
  wasmAlloc(bytes: number): number
  wasmFree(at: number): void
  process(...parameters: readonly (number | boolean)[]): number
}

/** The runtime of TinyGo, which its script makes global. */
interface Runtime {
  readonly importObject: object
  run(instance: object): Promise<void>
}

interface Globals {
  readonly Go: new () => Runtime
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object, imports: object) => { readonly exports: object }
    readonly RuntimeError: new () => Error
  }
}

/** Bash among the dialects of mvdan/sh. */
const bashVariant = 1
/** No formatting is asked for. */
const noFormat = [false, 0, false, false, false, false, false, false, false] as const

/** Loads mvdan/sh; the result finds the first problem of a script. An instance is kept as long as its memory lasts, which it never frees. */
export async function loadShell(): Promise<(script: string) => ShellProblem | undefined> {
  const require = createRequire(import.meta.url)
  require('sh-syntax/vendors/wasm_exec.cjs')
  const { Go, WebAssembly } = globalThis as unknown as Globals
  const module = new WebAssembly.Module(await readFile(require.resolve('sh-syntax/main.wasm')))
  let used: Shell | undefined

  function start(): Shell {
    const runtime = new Go()
    const instance = new WebAssembly.Instance(module, runtime.importObject)
    // It waits for calls until its memory is dropped.
    void runtime.run(instance)
    return instance.exports as Shell
  }

  return function find(script) {
    const shell = used ?? start()
    const isFresh = used === undefined
    used = undefined
    try {
      const problem = problemIn(shell, script)
      used = shell
      return problem
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error
      if (isFresh) throw tooDeep()
      return find(script)
    }
  }
}

function problemIn(shell: Shell, script: string): ShellProblem | undefined {
  const [text, textLength] = put(shell, script)
  // Neither a name of a file nor a word at which to stop.
  const [none] = put(shell, '')
  const at = shell.process(none, 0, 0, text, textLength, textLength, false, false, bashVariant, none, 0, 0, ...noFormat)
  shell.wasmFree(text)
  shell.wasmFree(none)
  const memory = new Uint8Array(shell.memory.buffer)
  const { message } = JSON.parse(new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)))) as { readonly message?: string }
  if (!message) return undefined
  const [, line, column, words = message] = /^:?(\d+):(\d+): (.*)$/s.exec(message) ?? []
  return { line: Number(line ?? 1), column: Number(column ?? 1), message: words }
}

function put({ memory, wasmAlloc }: Shell, text: string): [at: number, length: number] {
  const bytes = new TextEncoder().encode(text)
  const at = wasmAlloc(bytes.length)
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes)
  return [at, bytes.length]
}
