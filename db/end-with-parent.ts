/**
 * Import: kills this process when its standard input closes, which its parent holds open: so it ends
 * with its parent, even by SIGKILL. On a thread, because PGlite and bundlers block the main one.
 */
import { isMainThread, Worker } from 'node:worker_threads'

const KILL_AT_END = `
  const { Socket } = require('node:net')
  new Socket({ fd: 0 }).on('close', () => process.kill(process.pid, 'SIGKILL')).resume()`

// threads of this process import it, too
if (isMainThread) new Worker(KILL_AT_END, { eval: true, execArgv: [] }).unref()
