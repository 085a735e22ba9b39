export { builtFolders, isWithin, nodeFiles } from './adapters/node-files.ts'
export { FileFault, openRegularFile, readRegularBytes, readRegularFile, unlikeFile } from './adapters/node-regular-file.ts'
