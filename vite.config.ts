import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

/**
 * Two files that every page needs, instead of thirty crumbs: what comes from npm, and what the
 * domains share. The pages stay files of their own, and what is only for some of them comes with
 * those: the back office's calls, select and charts are no visitor's business.
 */
const everyPage = {
  groups: [
    {
      name: 'vendor',
      test: /node_modules\/(react|react-dom|react-router|scheduler|jotai|typebox)\//,
    },
    {
      name: 'shop',
      test: /app\/(shared\/(?!web\/(list|form|dialog\/(?!toast)|toast\/toasts))|(accounts|categories|payments|products)\/contract\.ts|cart\/web\/cart\.ts|accounts\/web\/session|products\/web\/product-photo)/,
    },
  ],
}

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  clearScreen: false,
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: everyPage } } } },
  },
})
