import { ReauthenticationProvider } from "./api/reauthentication.tsx";
import { App, loadAhead } from "./app.tsx";
import { Toasts } from "./components/toasts.tsx";
import { start } from "./start.tsx";

loadAhead(location.pathname);

start(
  <>
    <Toasts />
    <ReauthenticationProvider>
      <App />
    </ReauthenticationProvider>
  </>,
);
