import { existsSync } from "node:fs";
import type { Plugin } from "vite";

/** The class names of a component: included in a chunk if, and only if, the component is. */
const CLASS_NAMES = /^(.*\/@mantine\/(\w+))\/esm\/(?:.*\/)?(\w+)\.module\.mjs$/;

/**
 * In a build, a component of the library brings its own styles: a chunk has those of the components in it, and a page loads
 * those that it uses. Core has a file for each component, the other packages one for all. The styles are in a cascade layer, so
 * that they lose to app.css in whatever order chunks arrive. The development server, which bundles the library, gets all of them.
 */
export function componentStyles(): Plugin {
  let isBuild = false;
  return {
    name: "component-styles",
    configResolved: ({ command }) => {
      isBuild = command === "build";
    },
    transform: (code, id) => {
      if (!isBuild)
        return id.endsWith("/src/start.tsx") ? `${ALL.map((file) => `import "${file}";`).join("")}${code}` : null;
      const [, folder, name, component] = id.match(CLASS_NAMES) ?? [];
      if (!folder) return null;
      const file = name === "core" ? `${folder}/styles/${component}.layer.css` : `${folder}/styles.layer.css`;
      if (!existsSync(file)) throw new Error(`${component} has no styles at ${file}`);
      return { code: `import "${file}";\n${code}`, map: null, moduleSideEffects: false };
    },
  };
}

const ALL = ["core", "dates", "notifications"].map((name) => `@mantine/${name}/styles.layer.css`);
