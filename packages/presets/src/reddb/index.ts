export { reddb } from './preset.ts'
