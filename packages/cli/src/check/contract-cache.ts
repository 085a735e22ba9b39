import { buildContract, type Contract, type ContractInput, catalogue } from '@stickler/core'

/** Recorded traffic repeats few contracts; a file with many must not fill the memory. */
const most = 256

/** Builds contracts, and keeps those that were used last. */
export class ContractCache {
  readonly #built = new Map<string, Contract>()

  /** The contract for an input that is plain data; throws a ConfigurationError when it cannot be right. */
  get(input: ContractInput): Contract {
    const key = JSON.stringify(input)
    const found = this.#built.get(key) ?? buildContract(input, catalogue)
    this.#built.delete(key)
    this.#built.set(key, found)
    const oldest = this.#built.size > most ? this.#built.keys().next() : undefined
    if (oldest?.value !== undefined) this.#built.delete(oldest.value)
    return found
  }
}
