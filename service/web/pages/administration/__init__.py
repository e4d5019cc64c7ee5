"""How the service is set up and does, and who may use it: for administrators."""
