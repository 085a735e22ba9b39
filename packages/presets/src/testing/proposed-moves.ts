import { Answer, type Certificate, check, type FileKind, type FilePort } from '@stickler/core'
import { repairFiles } from '../helix/file-existence/repair/index.ts'
import { contract } from './contract.ts'

/** Files in `old/` exist, those in `dir/` are directories, those in `link` are outside, nothing else is there. */
const files: FilePort = {
  kind: async (path): Promise<FileKind> =>
    path.startsWith('old') ? 'file' : path.startsWith('dir') ? 'directory' : path.startsWith('link') ? 'outside' : 'missing',
  list: async () => [],
}
export const ports = { files }
export const rules = contract({ checks: ['file_existence'], allow: ['lossless', 'lossy', 'guess'] })
const context = { locale: 'en', context: {}, ports, signal: new AbortController().signal } as const

/** The certificates of the repair of a text. */
export async function propose(text: string): Promise<Certificate[]> {
  const { issues } = await check(rules, text, { ports })
  const certificates: Certificate[] = []
  for await (const certificate of repairFiles(new Answer(text), issues, context)) certificates.push(certificate)
  return certificates
}
