export { nodeFiles } from './adapters/node-files.ts'
export { FileFault, openRegularFile, readRegularFile, unlikeFile } from './adapters/node-regular-file.ts'
