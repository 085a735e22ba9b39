import { closeSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TraceEvent } from '@stickler/core'
import { whyNot } from '../config/files.ts'
import { openToAppend } from '../open-to-append.ts'
import { UsageError } from '../usage-error.ts'

/** A file that takes the events of a run, one JSON object per line, as they happen. */
export interface TraceFile {
  add(event: TraceEvent): void
  close(): void
}

/** Opens a file for events, to be added behind what is there; `onFault` is told once when it cannot be written any more. */
export function openTraceFile(file: string, cwd: string, onFault: (why: string) => void): TraceFile {
  const descriptor = open(resolve(cwd, file), file)
  let broken = false
  return {
    add(event) {
      if (broken) return
      try {
        // Written at once: whatever ends the process, the events until then are there.
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
    // A file that is not there would be made.
    throw new UsageError(`cannot write the trace to ${file}: ${whyNot(error).replace('no such file', 'no such folder')}`)
  }
}
