export { builtFolders, isWithin, nodeFiles } from './files/node-files.ts'
export { FileFault, isFolder, openRegularFile, readNamedFile, readRegularBytes, readRegularFile, unlikeFile } from './files/regular-file.ts'
