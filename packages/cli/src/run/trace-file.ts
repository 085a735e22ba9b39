import { closeSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TraceEvent } from '@stickler/core'
import { UsageError } from '../errors.ts'
import { isMissing, whyNot } from '../files/why-not.ts'
import { openToAppend } from '../files/write-file.ts'

/** Writes the events of a run to a file as they happen, one JSON object per line. */
export interface TraceFile {
  add(event: TraceEvent): void
  close(): void
}

/** Opens a file for events and appends to it; `onFault` is called once when writing fails. */
export function openTraceFile(file: string, cwd: string, onFault: (why: string) => void): TraceFile {
  const descriptor = open(resolve(cwd, file), file)
  let broken = false
  return {
    add(event) {
      if (broken) return
      try {
        // Written synchronously, so that no event is lost however the process ends.
        writeSync(descriptor, `${JSON.stringify(event)}\n`)
      } catch (error) {
        broken = true
        onFault(`cannot write the trace to ${file}: ${whyNot(error)}`)
      }
    },
    close: () => closeSync(descriptor),
  }
}

function open(path: string, file: string): number {
  try {
    return openToAppend(path)
  } catch (error) {
    // A missing file would be created.
    throw new UsageError(`cannot write the trace to ${file}: ${isMissing(error) ? 'there is no such folder' : whyNot(error)}`)
  }
}
