import type { Catalogue, ContractInput, ValidatorDefinition } from '@stickler/core'
import { readChecks } from '@stickler/core/internal'
import {
  type CheckData,
  type DefinitionData,
  type DescribedModule,
  type PreparedData,
  plainLine,
  type StandIn,
  standIn,
} from '@stickler/core/internal/remote'
import { catalogue as ownCatalogue } from '@stickler/presets'

/** Runs the code of plugins where it cannot stop this process. */
export interface PluginHost {
  /**
   * The exports of a plugin, as named by the file at the address `from`; rejects when the plugin
   * exits or hangs.
   */
  describe(specifier: string, from: string): Promise<DescribedModule>
  /** Binds options; rejects when the plugin exits or hangs. */
  prepare(check: CheckData): Promise<PreparedData>
  close(): Promise<void>
}

/** Opens a host; what it has loaded is kept until it is closed. */
export type OpenPluginHost = () => Promise<PluginHost>

/** A plugin that was loaded. */
export interface LoadedPlugin {
  /** As written in the file. */
  readonly written: string
  /** The address of its module. */
  readonly module: string
  readonly validators: readonly DefinitionData[]
}

/** The validators that a configuration may name: built-in ones, and those of its plugins. */
export class PluginSet {
  readonly loaded: readonly LoadedPlugin[]
  /** All of them; it cannot bind options of plugins. */
  readonly catalogue: Catalogue
  readonly #host: PluginHost | undefined

  constructor(loaded: readonly LoadedPlugin[] = [], host?: PluginHost) {
    this.loaded = loaded
    this.#host = host
    this.catalogue = this.#catalogueWith(new Map())
  }

  /** A catalogue that can bind the options in these contracts. */
  async catalogueFor(inputs: readonly ContractInput[]): Promise<Catalogue> {
    if (this.loaded.length === 0) return this.catalogue
    const bound = new Map<string, Promise<PreparedData>>()
    for (const { definition, options } of inputs.flatMap(({ checks = [] }) => readChecks(checks, this.catalogue.validators, []))) {
      const key = keyOf(definition.name, options)
      if (isStandIn(definition) && !bound.has(key)) bound.set(key, this.#prepare(definition, options))
    }
    const prepared = await Promise.all([...bound].map(async ([key, data]) => [key, await data] as const))
    return this.#catalogueWith(new Map(prepared))
  }

  async #prepare({ name, module }: StandIn, options: unknown): Promise<PreparedData> {
    try {
      const data = await this.#host?.prepare({ name, module, ...(options === undefined ? {} : { options }) })
      return data ?? { problems: [{ message: 'plugins cannot run here', path: [] }] }
    } catch (error) {
      return { problems: [{ message: `the plugin could not bind the options: ${plainLine(error)}`, path: [] }] }
    }
  }

  #catalogueWith(prepared: ReadonlyMap<string, PreparedData>): Catalogue {
    const find = (name: string, options: unknown): PreparedData | undefined => prepared.get(keyOf(name, options))
    const standIns = this.loaded.flatMap(({ validators, module }) =>
      validators.map((data) => ({ definition: standIn(data, module, find) })),
    )
    return standIns.length === 0 ? ownCatalogue : { ...ownCatalogue, validators: [...ownCatalogue.validators, ...standIns] }
  }
}

function isStandIn(definition: ValidatorDefinition): definition is StandIn {
  return definition.module !== undefined
}

function keyOf(name: string, options: unknown): string {
  return JSON.stringify([name, options ?? {}])
}
