import type { WorkerFlags } from '../evaluation/queue/run-worker.ts'
import type { CommandRecord } from './command.ts'

/** `stickler worker`. */
export const worker: CommandRecord = {
  name: 'worker',
  summary: 'judge answers for evaluations on other machines',
  description:
    'Judges batches of answers that `stickler eval --queue` puts into a queue on PostgreSQL, by the contracts of this machine: those of the configuration, or one that the options name.\n' +
    'SIGTERM and Ctrl-C let batches under way finish; a second signal stops at once. Exits with 0 when stopped, 2 when the configuration is wrong, 3 when the database does not answer.',
  options: async (command) => (await import('../evaluation/queue/run-worker.ts')).addWorkerOptions(command),
  run: async (_args, flags: WorkerFlags, { cli }) => (await import('../evaluation/queue/run-worker.ts')).runWorker(flags, cli),
}
