export { adrStructure } from './adr-structure/index.ts'
export { fileExistence } from './file-existence/index.ts'
export { helix } from './preset.ts'
export { stepMarker } from './step-marker/index.ts'
