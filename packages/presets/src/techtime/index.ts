export { phantomTools } from './phantom-tools/index.ts'
export { techtime } from './preset.ts'
