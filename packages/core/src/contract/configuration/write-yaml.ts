import { Document } from 'yaml'

/** Writes plain data as YAML. */
export function writeYaml(data: unknown): string {
  return new Document(data, { aliasDuplicateObjects: false }).toString({ lineWidth: 100 })
}
