import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, beforeEach } from 'vitest'

/** Calls `note` with each process that this one starts while a test runs, when it has started. */
export function noteProcesses(note: (started: ChildProcess) => void): void {
  const watch = (message: unknown) => {
    const { process: started } = message as { process: ChildProcess }
    started.once('spawn', () => note(started))
  }
  beforeEach(() => subscribe('child_process', watch))
  afterEach(() => {
    unsubscribe('child_process', watch)
  })
}
