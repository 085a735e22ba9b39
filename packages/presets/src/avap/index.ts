export { avap } from './preset.ts'
