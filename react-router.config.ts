import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'app',
  ssr: true,
  // the site map is small: the browser gets it whole, and no visit needs a second look-up
  routeDiscovery: { mode: 'initial' },
} satisfies Config
