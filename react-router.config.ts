import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'app',
  ssr: true,
  // the site map is small: the browser gets it whole, and no visit needs a second look-up
  routeDiscovery: { mode: 'initial' },
  // a page is one file: loaders in files of their own are forty more names in the site map
  splitRouteModules: false,
} satisfies Config
