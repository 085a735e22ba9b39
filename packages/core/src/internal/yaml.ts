export { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Pair, parseDocument, visit, type YAMLMap } from 'yaml'
export { readYaml, type YamlRefusal, type YamlResult, yamlDepth, yamlLimits } from '../answer/yaml.ts'
export { writeYaml } from '../contract/configuration/write-yaml.ts'
