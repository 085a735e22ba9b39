import { buildContract, type Contract, type ContractInput } from '@stickler/core'
import type { PluginSet } from '@stickler/gateway/config'

/** Recorded traffic repeats few contracts; a file with many must not fill the memory. */
const most = 256

/** Builds contracts, and keeps those that were used last. */
export class ContractCache {
  readonly #plugins: PluginSet
  readonly #built = new Map<string, Contract>()

  constructor(plugins: PluginSet) {
    this.#plugins = plugins
  }

  /** The contract for an input that is plain data; throws a ConfigurationError when it cannot be right. */
  async get(input: ContractInput): Promise<Contract> {
    const key = JSON.stringify(input)
    const found = this.#built.get(key) ?? buildContract(input, await this.#plugins.catalogueFor([input]))
    this.#built.delete(key)
    this.#built.set(key, found)
    const oldest = this.#built.size > most ? this.#built.keys().next() : undefined
    if (oldest?.value !== undefined) this.#built.delete(oldest.value)
    return found
  }
}
