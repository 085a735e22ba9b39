export { helix } from './preset.ts'
