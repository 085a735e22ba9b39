import { type DescribedModule, describeDefinition, findDefinitions, plainLine } from '@stickler/core/internal/remote'
import { addPluginHooks } from './add-plugin-hooks.ts'
import { freezeBuiltIns } from './freeze-built-ins.ts'
import { pluginScheme } from './plugin-hooks.ts'

type Namespace = Readonly<Record<string, unknown>>

/** The modules of plugins in a thread. */
export class PluginModules {
  readonly #loaded = new Map<string, Promise<Namespace>>()
  #isReady = false

  /** Imports a module by its address, once: hooks make every import wait. */
  load(address: string): Promise<Namespace> {
    this.#makeReady()
    const loaded = this.#loaded.get(address) ?? (import(address) as Promise<Namespace>)
    this.#loaded.set(address, loaded)
    return loaded
  }

  /** Describes the validators of a plugin, as the file `from` names it. */
  async describe(specifier: string, from: string): Promise<DescribedModule> {
    let module: string | undefined
    try {
      this.#makeReady()
      module = import.meta.resolve(`${pluginScheme}${encodeURIComponent(JSON.stringify([specifier, from]))}`)
      const { definitions, problems } = findDefinitions(await this.load(module))
      return { module, validators: definitions.map(describeDefinition), problems }
    } catch (error) {
      return { ...(module === undefined ? {} : { module }), validators: [], problems: [], failure: failureOf(error, module) }
    }
  }

  #makeReady(): void {
    if (this.#isReady) return
    this.#isReady = true
    addPluginHooks()
    freezeBuiltIns()
  }
}

function failureOf(error: unknown, module: string | undefined): NonNullable<DescribedModule['failure']> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const kind = error instanceof Error && error.name !== 'Error' && code === undefined ? `${plainLine(error.name)}: ` : ''
  return { message: `${kind}${plainLine(error)}${lineOf(error, module)}`, ...(code === undefined ? {} : { code }) }
}

/** The line of the module that an error names. */
function lineOf(error: unknown, module: string | undefined): string {
  const stack = error instanceof Error ? String(error.stack) : ''
  const at = module === undefined ? -1 : stack.indexOf(`${module}:`)
  const line = at < 0 ? undefined : /^\d+/.exec(stack.slice(at + (module?.length ?? 0) + 1))?.[0]
  return line === undefined ? '' : ` (line ${line})`
}
