import type { Plugin } from 'vite'

const hint = '//# allFunctionsCalledOnLoad\n'

/**
 * Adds a comment that makes Chromium compile each file's functions while the file arrives, off the main thread
 * (https://v8.dev/blog/explicit-compile-hints). The comment has to be first in a file. The bundler's banner would not
 * be first: in chunks with a dynamic import, Vite writes a list of files above the banner.
 */
export function compileHints(): Plugin {
  return {
    name: 'compile-hints',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, written) {
        for (const file of Object.values(written)) {
          if (file.type === 'chunk') file.code = `${hint}${file.code}`
        }
      },
    },
  }
}
