import type { Language } from '@stickler/core/validators'

/** YAML 1.2, also several documents in one stream. */
export const yaml: Language = {
  name: 'yaml',
  parsedBy: 'YAML 1.2',
  async load() {
    const { parseYaml } = await import('./parse-yaml.ts')
    return parseYaml
  },
}
