import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { IMAGE, type Storage } from './build-image.ts'

const NAME = 'haat'
const LOOK_MS = 100
/** Its bit in the masks of /proc/PID/status. */
const SIGTERM = 1n << 14n
const PATIENCE_MS = 60_000

/** As docs/operations.md says, and as compose.yaml does it: nothing is written but to the volume and /tmp. */
const HARDENED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all']
/** A container in a sandbox has no network of its own, and may not raise limits. */
const SANDBOXED = ['--network', 'host', '--security-opt', 'no-new-privileges']
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000']

export type Container = Awaited<ReturnType<typeof runShop>>

/** Runs the image with a volume, in the background. The demo is loaded: only this machine reaches it. */
export async function runShop({ podman }: Storage, settings: Record<string, string> = {}) {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const own = { HOST: '127.0.0.1', PORT: `${port}`, RATE_LIMIT: 'off', ...settings }
  const environment = Object.entries(own).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const place = ['--name', NAME, '--volume', 'haat-data:/data']
  podman('run', '--detach', ...place, ...HARDENED, ...SANDBOXED, ...LIMITS, ...environment, IMAGE)
  const inspect = (format: string) => podman('inspect', '--format', format, NAME)
  /** Resolves when it answers; throws with its log when it does not. */
  const whenReady = async () => {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    const isReady = () =>
      fetch(`${address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) {
      if (patience.aborted) throw new Error(`The shop is not ready:\n${podman('logs', NAME)}`)
      await setTimeout(LOOK_MS)
    }
  }
  await whenReady()
  return {
    address,
    exec: (...words: string[]) => podman('exec', NAME, ...words),
    checkHealth: () => podman('healthcheck', 'run', NAME),
    kill: () => podman('kill', '--signal', 'KILL', NAME),
    start: () => podman('start', NAME),
    whenReady,
    /** Resolves when it handles SIGTERM: without a handler the kernel ignores signals of process 1. */
    whenStoppable: async () => {
      const pid = inspect('{{.State.Pid}}')
      const caught = async () => {
        const status = await readFile(`/proc/${pid}/status`, 'utf8')
        return BigInt(`0x${/^SigCgt:\s+(\w+)$/m.exec(status)?.[1]}`)
      }
      while (((await caught()) & SIGTERM) === 0n) await setTimeout(LOOK_MS / 10)
    },
    /** Sends SIGTERM, and SIGKILL after 15 s; returns the exit code, which is 137 then. */
    stop: () => {
      podman('stop', '--time', '15', NAME)
      return Number(inspect('{{.State.ExitCode}}'))
    },
    remove: () => podman('rm', '--force', '--volumes', NAME),
  }
}
