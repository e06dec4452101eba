/** The programs that stand for one machine. All of its processes can be killed or frozen together. */
export type Machine = {
  name: string
  /** The processes that run now, with their children. */
  pids: () => number[]
  /** SIGKILL to all of its processes; resolves when they have ended. */
  kill: () => Promise<void>
  /** SIGSTOP to all of its processes. */
  freeze: () => void
  /** SIGCONT. */
  thaw: () => void
  /** Starts its programs, on the same data; resolves when they answer. */
  start: () => Promise<void>
  /** SIGTERM; resolves when its processes have ended. */
  stop: () => Promise<void>
}

export type Cluster = {
  /** The proxy before the shops, e.g. http://127.0.0.1:4000. */
  address: string
  shops: Machine[]
  /** Patroni with its PostgreSQL, each. */
  databases: Machine[]
  etcd: Machine[]
  pooler: Machine
  redis: Machine
  proxy: Machine
  /** The temporary folder of all of it. */
  folder: string
  /** The machine whose PostgreSQL accepts writes, as Patroni says. */
  primary: () => Promise<Machine>
  /** Through PgBouncer. */
  databaseUrl: string
  /** PostgreSQL itself, on the primary of now. */
  primaryUrl: () => Promise<string>
  stop: () => Promise<void>
}

export type ClusterOptions = {
  /** Patroni's synchronous_mode: on as documented. */
  synchronous?: boolean
  shops?: number
  /** The folder of each shop's code; this repository where it is not given. */
  shopRoots?: string[]
  /** Settings of all shops beside those of the cluster. */
  shopSettings?: Record<string, string>
}

/** Starts the cluster of deploy/cluster on loopback ports in a temporary folder. */
export async function startCluster(_options: ClusterOptions = {}): Promise<Cluster> {
  throw new Error('The cluster cannot be started yet.')
}
