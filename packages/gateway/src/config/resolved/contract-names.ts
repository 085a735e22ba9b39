import { buildContract, type Contract } from '@stickler/core'
import { catalogue } from '@stickler/presets'
import type { NameTest } from '../../records/run/text-removal.ts'

/** More names are ignored; a schema has fewer. */
const mostNames = 10_000

/**
 * Makes the test of names: those in the options of the contract with that name, in the current
 * configuration, or of a preset.
 */
export function contractNames(contracts: () => ReadonlyMap<string, Contract>): NameTest {
  const known = new WeakMap<Contract, ReadonlySet<string>>()
  const presets = new Map<string, Contract>()
  const find = (name: string): Contract | undefined => {
    const preset = name.startsWith('preset:') ? name.slice('preset:'.length) : undefined
    if (preset === undefined || !Object.hasOwn(catalogue.presets, preset)) return contracts().get(name)
    const made = presets.get(preset) ?? buildContract({ preset }, catalogue)
    presets.set(preset, made)
    return made
  }
  const isName = (contract: string, name: string): boolean => {
    const found = find(contract)
    if (found === undefined) return false
    const names = known.get(found) ?? namesIn(found.validators.map(({ options }) => options))
    known.set(found, names)
    return names.has(name)
  }
  return Object.assign(isName, {
    whenReported(contract: string, validator: string, code: string): string | undefined {
      const codes = find(contract)?.validators.find(({ name }) => name === validator)?.definition.codes
      return codes !== undefined && Object.hasOwn(codes, code) ? codes[code]?.when : undefined
    },
  })
}

/** Every key and every text in plain data. */
function namesIn(data: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const waiting: unknown[] = [data]
  const seen = new Set<unknown>()
  while (waiting.length > 0 && names.size < mostNames) {
    const value = waiting.pop()
    if (typeof value === 'string') names.add(value)
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (!Array.isArray(value)) for (const key of Object.keys(value)) names.add(key)
    for (const member of Object.values(value)) waiting.push(member)
  }
  return names
}
