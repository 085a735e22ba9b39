import type { Language } from '@stickler/core/validators'

/** TOML 1.0 and 1.1; a key that is defined twice is a fault of the document. */
export const toml: Language = {
  name: 'toml',
  parsedBy: 'smol-toml; the first fault, and keys and tables that are defined twice',
  async load() {
    const [{ parse, TomlError }, { tomlFault }] = await Promise.all([import('smol-toml'), import('./fault.ts')])
    return (source) => {
      try {
        parse(source, { integersAsBigInt: true })
        return []
      } catch (error) {
        if (!(error instanceof TomlError)) throw error
        return [tomlFault(error, source)]
      }
    }
  },
}
