import { start } from "../start.tsx";
import "../shell/shell.css";
import "../components/lists.css";
import { App } from "./app.tsx";

start(<App />);
