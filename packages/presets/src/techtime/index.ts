export { techtime } from './preset.ts'
