// The runtime of JSX in the build. React's own module is CommonJS, so every call would name the module too.
import * as runtime from 'react/jsx-runtime'

export const { Fragment, jsx, jsxs } = runtime
