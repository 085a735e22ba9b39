export { readYaml, yamlDepth } from '../answer/yaml.ts'
export { writeYaml } from '../contract/configuration/write-yaml.ts'
