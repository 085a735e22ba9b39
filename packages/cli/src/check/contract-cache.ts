import { buildContract, type Contract, type ContractInput } from '@stickler/core'
import type { Plugins } from '../config/files.ts'

/** Recorded traffic repeats few contracts; the limit keeps a file with many from filling memory. */
const most = 256

/** Builds contracts and caches the most recently used. */
export class ContractCache {
  readonly #plugins: Plugins
  readonly #built = new Map<string, Contract>()

  constructor(plugins: Plugins) {
    this.#plugins = plugins
  }

  /** The contract for an input of plain data; throws a ConfigurationError when it is invalid. */
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
