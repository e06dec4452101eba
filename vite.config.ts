import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

/**
 * Two files that every page needs, instead of thirty crumbs: what comes from npm, and what the
 * domains share. The pages stay files of their own.
 */
const everyPage = {
  groups: [
    { name: 'vendor', test: /node_modules/ },
    {
      name: 'shop',
      test: /app\/(shared|\w+\/contract\.ts|cart\/web\/cart\.ts|accounts\/web\/session)/,
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
