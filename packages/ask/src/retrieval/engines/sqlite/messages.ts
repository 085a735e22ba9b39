import type { ReasonCode } from '@stickler/core/internal'
import type { Hit, IndexFacts } from '../../index-engine.ts'
import type { CheckedDocuments } from '../checked-documents.ts'

/** What a thread is started with. */
export interface ThreadData {
  readonly path: string
  readonly collection: string
  /** Holds the number of a call whose caller has left. */
  readonly cancelled: SharedArrayBuffer
}

/** The calls of a thread. */
export interface Calls {
  searchText(terms: readonly string[], limit: number): Hit[]
  searchVector(vector: Float32Array, embedding: string, limit: number): Hit[]
  fingerprints(below: string): Map<string, string>
  facts(): IndexFacts
  replace(documents: CheckedDocuments): void
  remove(paths: readonly string[]): void
}

/** One of the calls with its arguments. */
export type Call = { [Name in keyof Calls]: readonly [Name, ...Parameters<Calls[Name]>] }[keyof Calls]

/** The messages to a thread: a call, or to close the file and end. */
export type ToThread = { readonly id: number; readonly call: Call } | { readonly close: true }

/** Why a call has no result. */
export interface Failure {
  readonly problem: string
  readonly codes?: readonly ReasonCode[]
  readonly kind: 'configuration' | 'file' | 'crash'
}

/** The messages of a thread. */
export type FromThread = { readonly id: number; readonly result: unknown } | { readonly id: number; readonly failure: Failure }
