import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tooDeep } from '../too-deep.ts'

/** What the module of gofmt exports. */
interface Formatter {
  readonly memory: { readonly buffer: ArrayBuffer }
  _initialize(): void
  alloc(bytes: number): number
  /** 0: formatted already, 1: formatted, 2: there is a problem. */
  format(): number
  output_ptr(): number
  output_len(): number
  dispose(): void
}

interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: object }
  readonly RuntimeError: new () => Error
}

/**
 * What Go's parser reports: `line:column: message`, undefined when it accepts the text, or that it
 * panicked, as it does after ten problems.
 */
export type GoProblem = string | undefined | typeof panicked

/** Go's parser ends itself after ten problems; what it has found is lost. */
export const panicked = Symbol('panicked')

/** Loads gofmt; the result parses a text. */
export async function loadGofmt(): Promise<(text: string) => GoProblem> {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Wasm }
  const bytes = await readFile(createRequire(import.meta.url).resolve('@wasm-fmt/gofmt/wasm'))
  const module = new WebAssembly.Module(bytes)
  let running: Formatter | undefined

  function start(): Formatter {
    const formatter = new WebAssembly.Instance(module).exports as Formatter
    formatter._initialize()
    return formatter
  }

  return (text) => {
    running ??= start()
    try {
      return problemOf(running, text)
    } catch (error) {
      // Memory that a crash has left is never used again.
      running = undefined
      if (!(error instanceof WebAssembly.RuntimeError)) throw error
      if (error.message === 'unreachable') return panicked
      throw tooDeep()
    }
  }
}

function problemOf(formatter: Formatter, text: string): string | undefined {
  const bytes = new TextEncoder().encode(text)
  const start = formatter.alloc(bytes.length)
  new Uint8Array(formatter.memory.buffer, start, bytes.length).set(bytes)
  const isRejected = formatter.format() === 2
  const problem = isRejected
    ? new TextDecoder().decode(new Uint8Array(formatter.memory.buffer, formatter.output_ptr(), formatter.output_len()))
    : undefined
  formatter.dispose()
  return problem
}
